import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OPEN_PLACE, openFolder } from './binaries.ts'
import { userName } from './owner.ts'
import { canEnter, isRoot, postgresUser, type User } from './user.ts'
import { StartRefusal } from './start-refusal.ts'

export type Place = { dataDir: string; user: User }
type Wanted = { dataDir: string; dataDirIsDefault: boolean; say: (line: string) => void }

/** Where the data goes and who runs the database there. For root the default folder gives way when it stands behind a closed door. */
export async function placeFor({ dataDir, dataDirIsDefault, say }: Wanted): Promise<Place> {
  const user = ownerOf(dataDir) ?? postgresUser()
  if (!user) return { dataDir: ownFolder(dataDir), user }
  const clone = dirname(dataDir)
  const elsewhere = join(OPEN_PLACE, `${basename(clone)}-${shortHash(dataDir)}`)
  const mayMove = dataDirIsDefault && !existsSync(join(dataDir, 'postgres'))
  const hasMoved = mayMove && existsSync(join(elsewhere, 'postgres'))
  if (!hasMoved && (await canEnter(user, firstExisting(clone)))) {
    letIn(user, dataDir)
    if (await canEnter(user, dataDir)) return { dataDir: realpathSync(dataDir), user }
  }
  const whoCannot = `${user.name}, the user who runs the database for root, cannot enter`
  if (!mayMove)
    throw new StartRefusal(`${dataDir} cannot be used: ${whoCannot} it. Open the folders above it, or set DATA_DIR to one that is open.`)
  attempt(elsewhere, () => openFolder(OPEN_PLACE))
  letIn(user, elsewhere)
  say(`The data is in ${elsewhere}: ${whoCannot} ${clone}.`)
  return { dataDir: elsewhere, user }
}

/** An existing database keeps its owner when root starts it. */
function ownerOf(dataDir: string): User {
  const cluster = join(dataDir, 'postgres')
  if (!isRoot() || !existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? undefined : { name: userName(uid), uid, gid }
}

function ownFolder(dataDir: string): string {
  attempt(dataDir, () => makeClosed(dataDir))
  return realpathSync(dataDir)
}

/** Lets the user through by the group, where the folder is plainly ours: new, empty, or with a database in it. */
function letIn(user: NonNullable<User>, dataDir: string) {
  attempt(dataDir, () => {
    makeClosed(dataDir)
    const inside = readdirSync(dataDir)
    const { uid, mode } = statSync(dataDir)
    const isOpen = (mode & 0o001) !== 0
    if (uid !== 0 || isOpen || (inside.length > 0 && !inside.includes('postgres'))) return
    chownSync(dataDir, 0, user.gid)
    chmodSync(dataDir, (mode & 0o777) | 0o010)
  })
}

function makeClosed(dataDir: string) {
  mkdirSync(dirname(dataDir), { recursive: true })
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 })
}

const firstExisting = (path: string): string => (existsSync(path) ? path : firstExisting(dirname(path)))

/** A folder that only that user may enter. One that somebody else has put there is not trusted. */
export function privateFolder(user: User, folder: string): string {
  attempt(folder, () => {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
    if (isNew && user) chownSync(folder, user.uid, user.gid)
    const { uid } = lstatSync(folder)
    const isTheirs = lstatSync(folder).isDirectory() && uid === (user?.uid ?? process.getuid?.())
    if (!isTheirs) throw new StartRefusal(`${folder} belongs to somebody else. Please remove it.`)
    chmodSync(folder, 0o700)
  })
  return folder
}

/** Safe for root in a folder of that user's: no link put there is followed. */
export function replaceFile(path: string, text: string, user: User): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  if (user) lchownSync(draft, user.uid, user.gid)
  renameSync(draft, path)
}

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Turns what the file system refuses into one line about that folder. */
export function attempt<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    throw new StartRefusal(`${folder} cannot be used: ${(error as Error).message}`)
  }
}
