/** Runs the benchmarks one after another: npm run bench [-- names]. See bench/README.md. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const BENCHMARKS = ['hot', 'growth', 'texts', 'pages']
const LONG_BENCHMARKS = ['memory', 'plans']

const names = process.argv.slice(2)
const unknownNames = names.filter((name) => ![...BENCHMARKS, ...LONG_BENCHMARKS].includes(name))
if (unknownNames.length > 0)
  throw new Error(`There is no benchmark named ${unknownNames.join(', ')}.`)

for (const name of names.length > 0 ? names : BENCHMARKS) {
  console.log(`\n## ${name}\n`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
