import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { User } from './user.ts'
import { StartRefusal } from './start-refusal.ts'

/** What PostgreSQL itself reads and writes in a data folder, and two samples of what is within. */
const PARTS = ['postgres', 'postgres-log', 'postgres-socket'],
  SAMPLES = ['postgres/PG_VERSION', 'postgres/base']

export const userName = (uid: number): string => spawnSync('id', ['-un', `${uid}`], { encoding: 'utf8' }).stdout?.trim() || `user ${uid}`

/** Refuses a data folder that the user who runs PostgreSQL does not own throughout, as a copy made without `cp -a` is. */
export function requireOwner({ dataDir, user }: { dataDir: string; user: User }): void {
  if (!user) requireEntry(dataDir)
  const wanted = user?.uid ?? process.getuid!()
  const present = (names: string[]) => names.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  const foreign = present([...PARTS, ...SAMPLES]).find((path) => lstatSync(path).uid !== wanted)
  if (!foreign) return
  const [name, owner] = [userName(wanted), userName(lstatSync(foreign).uid)]
  throw new StartRefusal(
    `${foreign} belongs to ${owner}, but ${name} runs the database and has to own it. A copy of a data folder keeps its owners with "cp -a". ` +
      `To give this one to ${name}: sudo chown -R ${name} ${present(PARTS).join(' ')}`,
  )
}

/** What may not be entered cannot be looked into either, and would seem empty. */
function requireEntry(dataDir: string) {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const [owner, name] = [statSync(dataDir).uid, process.getuid!()].map(userName)
    throw new StartRefusal(`${dataDir} belongs to ${owner}, and ${name} may not use it. Start Tatami as ${owner}, or as root.`)
  }
}
