/** Runs the benches one after the other: npm run bench [-- names]. Copy the output to the table in
 *  bench/README.md. A failing bench does not stop the others. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BENCHES = ['hot', 'growth', 'texts', 'pages']
/** Takes an hour, so it only runs when named. */
const LONG_BENCHES = ['memory']

const names = process.argv.slice(2)
const unknownNames = names.filter((name) => ![...BENCHES, ...LONG_BENCHES].includes(name))
if (unknownNames.length > 0) throw new Error(`There is no bench named ${unknownNames.join(', ')}.`)

for (const name of names.length > 0 ? names : BENCHES) {
  console.log(`\n## ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
