import { WaitingBlock } from '../ui/waiting-block.tsx'
import styles from './class-management.module.css'

const CARD_HEIGHT = '13rem'

export const ClassesLoading = () => (
  <div role="status" className={styles.grid}>
    <WaitingBlock height={CARD_HEIGHT}>Loading classes...</WaitingBlock>
    <WaitingBlock height={CARD_HEIGHT} />
    <WaitingBlock height={CARD_HEIGHT} />
  </div>
)
