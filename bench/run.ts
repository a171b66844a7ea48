/** Runs every bench but those that are only run when named, one after the other, and writes what they print to its place in
 *  bench/RESULTS.md: npm run bench [-- names] [--dojos 500]. A bench that fails leaves its message there; the others still run. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: given, positionals: wanted } = parseArgs({
  options: { dojos: { type: 'string', default: '500' } },
  allowPositionals: true,
})

type Bench = {
  name: string
  title: string
  /** Where it is not its name's. */
  file?: string
  args?: string[]
  onlyNamed?: true
}
const BENCHES: Bench[] = [
  { name: 'hot', title: 'The calls that are made most, and many dojos at once' },
  { name: 'profile', title: 'What the server is busy with' },
  { name: 'growth', title: 'Growth, start and idle cost', args: ['--dojos', given.dojos] },
  { name: 'texts', title: 'Texts' },
  { name: 'attacks', title: 'Floods, and what another dojo notices' },
  { name: 'pages', title: 'Pages on a slow phone with an empty cache' },
  { name: 'offline', title: 'Pages on a slow phone without a network' },
  {
    name: 'people',
    title: 'Find and the page of a student at 500 students',
    file: 'growth',
    args: ['--dojos', '100', '--students', '500', '--calls', '/students'],
    onlyNamed: true,
  },
  {
    name: 'belts',
    title: 'Who is ready for a belt, at 500 students with 100,000 marks',
    onlyNamed: true,
  },
  {
    name: 'class-dates',
    title: 'The dates of 40 classes, at 500 students with a year of marks',
    onlyNamed: true,
  },
  { name: 'idle', title: 'Idle cost of 500 dojos', onlyNamed: true },
  { name: 'lighthouse', title: 'Lighthouse', onlyNamed: true },
  { name: 'soak', title: 'Memory over an hour', onlyNamed: true },
]

/** What it prints, which is shown meanwhile; rejects with the end of its errors where it fails. */
async function outputOf({ name, file: script = name, args = [] }: Bench): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = '',
    errors = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => {
    output += words
    process.stdout.write(words)
  })
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    errors += words
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(errors.trim().split('\n').slice(-5).join('\n'))
  return output.trim()
}

/** Markdown as it is, other lines as they were printed. */
const section = (title: string, output: string) =>
  `## ${title}\n\n${output.includes('|---') ? output : `\`\`\`\n${output}\n\`\`\``}\n`

const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench.name === name))
if (unknown.length > 0)
  throw new Error(
    `There is no bench ${unknown.join(', ')}. The benches are ${BENCHES.map(({ name }) => name).join(', ')}`,
  )

const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
const file = join(import.meta.dirname, 'RESULTS.md')
const HEAD =
  '# Results\n\nWritten by `npm run bench`, each section when its bench was last run. The [README](README.md) says what is measured.\n'
/** What the file has of each bench, by title. Another run may have written meanwhile. */
const readSections = () =>
  new Map(
    readFileSync(file, 'utf8')
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => [/^## (.*)/.exec(text)![1]!, `${text.trim()}\n`]),
  )
for (const bench of BENCHES.filter(({ name, onlyNamed }) =>
  wanted.length === 0 ? !onlyNamed : wanted.includes(name),
)) {
  console.log(`\n── ${bench.name} ──`)
  const load = loadavg()[0]!.toFixed(1)
  const output = await outputOf(bench).catch((error: Error) => `Failed:\n${error.message}`)
  const day = new Date().toISOString().slice(0, 10)
  const sections = readSections().set(
    bench.title,
    section(bench.title, `${output}\n\n${day}, ${machine}; load of the machine before it: ${load}`),
  )
  writeFileSync(
    file,
    [HEAD, ...BENCHES.flatMap(({ title }) => sections.get(title) ?? [])].join('\n'),
  )
}
