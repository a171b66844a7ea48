/** Until 1.0.0 is tagged there is one migration: this writes it again from `server/<module>/tables.ts`, and keeps its last part, written by hand. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'server/db/migrations')
const file = join(folder, '0000_baseline.sql')
const BY_HAND = '\n-- From here on written by hand'

if (execFileSync('git', ['tag', '--list', 'v1.0.0'], { cwd: root, encoding: 'utf8' }).trim())
  throw new Error('1.0.0 is released: its migrations are never edited. Add one with "npm run db:generate -- --name what-it-does".')

const byHand = readFileSync(file, 'utf8').split(BY_HAND)[1]
if (byHand === undefined) throw new Error(`${file} has no line that begins with "${BY_HAND.trim()}"`)
for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
execFileSync('drizzle-kit', ['generate', '--config', 'server/drizzle.config.ts', '--name', 'baseline'], { cwd: root, stdio: 'inherit' })
appendFileSync(file, `--> statement-breakpoint\n${BY_HAND}${byHand}`)
