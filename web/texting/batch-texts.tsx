import { Title } from '@mantine/core'
import type { BatchText } from '@tatami/contract/text-history'
import classes from './batch-texts.module.css'
import { FateIcon } from './fate-icon.tsx'
import { BY_NEED, FATE_WORDS, fateOf } from './fates.ts'
import { TextRow } from './text-row.tsx'

type Props = { batchId: string; texts: BatchText[]; onDone: (count: number) => void }

/** The students by what became of their texts, those who need something first. */
export const BatchTexts = ({ texts, ...rest }: Props) =>
  BY_NEED.map((fate) => {
    const theirs = texts.filter(({ state }) => fateOf(state) === fate)
    if (theirs.length === 0) return null
    return (
      <section key={fate} className={classes.group}>
        <Title order={3} className={classes.title}>
          <FateIcon fate={fate} size={20} />
          {FATE_WORDS[fate]} <span className={classes.count}>{theirs.length}</span>
        </Title>
        <ul className={classes.texts}>
          {theirs.map((text) => (
            <li key={text.id}>
              <TextRow text={text} {...rest} />
            </li>
          ))}
        </ul>
      </section>
    )
  })
