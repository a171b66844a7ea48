import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
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
import { EmbeddedPostgresError } from './errors.ts'
import {
  canAccess,
  findOrCreateSystemUser,
  isRoot,
  type SystemUser,
  userName,
} from './system-user.ts'

export type Application = { name: string; id: string }

export type DataFolder = { dataDir: string; user: SystemUser }

type FolderRequest = {
  application: Application
  dataDir: string
  mayRelocate: boolean
  log: (line: string) => void
}

const FOLDERS = ['postgres', 'postgres-log', 'postgres-socket']
/** Only the owner of these files is checked, because a cluster has thousands of files. */
const SAMPLE_FILES = ['postgres/PG_VERSION', 'postgres/base']

export const sharedFolder = ({ id }: Application): string => join('/var/lib', id)

export const relocatedFolder = (application: Application, dataDir: string): string =>
  join(sharedFolder(application), `${basename(dirname(dataDir))}-${shortHash(dataDir)}`)

/** Operating systems allow 103 bytes or more. */
const MAX_SOCKET_PATH_BYTES = 100
export const SOCKET_NAME = '.s.PGSQL.5432'

/** Uses /tmp, not os.tmpdir(), so a start with another environment finds the same path. */
export function socketFolder(dataDir: string, uid: number, { id }: Application): string {
  const localFolder = join(dataDir, 'postgres-socket')
  return Buffer.byteLength(join(localFolder, SOCKET_NAME)) < MAX_SOCKET_PATH_BYTES
    ? localFolder
    : `/tmp/${id}-${uid}-${shortHash(dataDir)}`
}

/** Creates the folder. If root runs this and the system user cannot reach the folder, it throws.
 *  With `mayRelocate`, it creates a folder in /var/lib instead. */
export async function prepareDataFolder({
  application,
  dataDir,
  mayRelocate,
  log,
}: FolderRequest): Promise<DataFolder> {
  const user = clusterOwner(dataDir) ?? findOrCreateSystemUser(application.id)
  if (!user) {
    withFolderErrors(dataDir, () => createPrivateFolder(dataDir))
    return { dataDir: realpathSync(dataDir), user }
  }
  const parent = dirname(dataDir)
  const relocatedDir = relocatedFolder(application, dataDir)
  const canRelocate = mayRelocate && !existsSync(join(dataDir, 'postgres'))
  const isRelocated = canRelocate && existsSync(join(relocatedDir, 'postgres'))
  if (!isRelocated && (await canAccess(user, nearestExisting(parent)))) {
    createGroupFolder(user, dataDir)
    if (await canAccess(user, dataDir)) return { dataDir: realpathSync(dataDir), user }
  }
  const reason = `${user.name}, the user who runs the database for root, cannot enter`
  if (!canRelocate)
    throw new EmbeddedPostgresError(
      `${dataDir} cannot be used: ${reason} it.`,
      'folder_unreachable',
    )
  withFolderErrors(relocatedDir, () => createReadableFolder(sharedFolder(application)))
  createGroupFolder(user, relocatedDir)
  log(`The data is in ${relocatedDir}: ${reason} ${parent}.`)
  return { dataDir: relocatedDir, user }
}

export function findDataFolder({
  application,
  dataDir,
  mayRelocate,
}: Omit<FolderRequest, 'log'>): string | undefined {
  const folders = [
    dataDir,
    ...(mayRelocate && isRoot() ? [relocatedFolder(application, dataDir)] : []),
  ]
  const existingFolder = folders.find((folder) => existsSync(join(folder, 'postgres')))
  return existingFolder && realpathSync(existingFolder)
}

/** Returns the owner of an existing cluster, which stays the same when root starts it. */
function clusterOwner(dataDir: string): SystemUser {
  const cluster = join(dataDir, 'postgres')
  if (!isRoot() || !existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? undefined : { name: userName(uid), uid, gid }
}

/** Gives the user's group access to a folder, but only if it is empty or contains a database. */
function createGroupFolder(user: NonNullable<SystemUser>, dataDir: string) {
  withFolderErrors(dataDir, () => {
    createPrivateFolder(dataDir)
    const entries = readdirSync(dataDir)
    const { uid, mode } = statSync(dataDir)
    const othersMayEnter = (mode & 0o001) !== 0
    if (uid !== 0 || othersMayEnter || (entries.length > 0 && !entries.includes('postgres'))) return
    chownSync(dataDir, 0, user.gid)
    chmodSync(dataDir, (mode & 0o777) | 0o010)
  })
}

function createPrivateFolder(folder: string) {
  mkdirSync(dirname(folder), { recursive: true })
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
}

const nearestExisting = (path: string): string =>
  existsSync(path) ? path : nearestExisting(dirname(path))

/** Throws if a file has the wrong owner, for example after a copy without `cp -a`. */
export function checkOwnership({ dataDir, user }: DataFolder, application: Application): void {
  if (!user) checkAccess(dataDir, application)
  const ownerId = user?.uid ?? process.getuid?.() ?? 0
  const existingPaths = (names: string[]) =>
    names.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  const foreignPath = existingPaths([...FOLDERS, ...SAMPLE_FILES]).find(
    (path) => lstatSync(path).uid !== ownerId,
  )
  if (!foreignPath) return
  const [name, wrongOwner] = [userName(ownerId), userName(lstatSync(foreignPath).uid)]
  throw new EmbeddedPostgresError(
    `${foreignPath} belongs to ${wrongOwner}, but ${name} runs the database and has to own it. A ` +
      'copy of a data folder keeps its owners with "cp -a". ' +
      `To give this one to ${name}: sudo chown -R ${name} ${existingPaths(FOLDERS).join(' ')}`,
  )
}

/** Throws if the current user may not use the folder, which would otherwise look empty. */
function checkAccess(dataDir: string, application: Application) {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const [owner, name] = [statSync(dataDir).uid, process.getuid?.() ?? 0].map(userName)
    throw new EmbeddedPostgresError(
      `${dataDir} belongs to ${owner}, and ${name} may not use it. Start ` +
        `${application.name} as ${owner}, or as root.`,
    )
  }
}

export function createUserFolder(user: SystemUser, folder: string): string {
  withFolderErrors(folder, () => {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
    if (isNew && user) chownSync(folder, user.uid, user.gid)
    const stat = lstatSync(folder)
    const isOwnFolder = stat.isDirectory() && stat.uid === (user?.uid ?? process.getuid?.())
    if (!isOwnFolder)
      throw new EmbeddedPostgresError(`${folder} belongs to somebody else. Please remove it.`)
    chmodSync(folder, 0o700)
  })
  return folder
}

/** Creates a folder that all users may read, even if root's umask forbids it. */
export function createReadableFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

/** Replaces a file without following symbolic links, so it is safe in another user's folder. */
export function replaceFile(path: string, text: string, user: SystemUser): void {
  const temporaryPath = `${path}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporaryPath, text, { mode: 0o600, flag: 'wx', flush: true })
  if (user) lchownSync(temporaryPath, user.uid, user.gid)
  renameSync(temporaryPath, path)
}

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)

export function withFolderErrors<Result>(folder: string, action: () => Result): Result {
  try {
    return action()
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(`${folder} cannot be used: ${(error as Error).message}`)
  }
}
