import { formatMoney } from '../lib/money.ts'
import styles from './bar-table.module.css'

type Props = {
  /** Of the names, and of each value. */
  heads: string[]
  rows: { name: string; values: number[] }[]
}

/** Sums of money by name, each row with a bar: the first value fills what the last one outlines. */
export function BarTable({ heads, rows }: Props) {
  const top = Math.max(0.01, ...rows.flatMap(({ values }) => values))
  const wide = (value: number) => `${(Math.max(0, value) / top) * 100}%`
  return (
    <div className={styles.room}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                <span className={styles.bars} aria-hidden>
                  {values.length > 1 && (
                    <span className={styles.outline} style={{ width: wide(values.at(-1)!) }} />
                  )}
                  <span className={styles.fill} style={{ width: wide(values[0]!) }} />
                </span>
              </th>
              {values.map((value, place) => (
                <td key={heads[place + 1]}>{formatMoney(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
