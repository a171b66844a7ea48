import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Application, relocatedFolder, socketFolder } from './data-folder.ts'
import { PASSWORDS_FILE } from './cluster.ts'
import { isPostmasterRunning } from './postmaster.ts'
import { isRoot } from './system-user.ts'

type Options = { application: Application; dataDir: string; mayRelocate: boolean; database: string }
export type Inspection = {
  dataDir: string
  state: 'none' | 'stopped' | 'running' | 'unreadable'
  url?: string
}

/** Reports whether there is a database, and whether it runs. Changes nothing. */
export function inspectDataFolder({
  application,
  dataDir: requestedDir,
  mayRelocate,
  database,
}: Options): Inspection {
  const relocatedDir = relocatedFolder(application, requestedDir)
  const isRelocated =
    isRoot() &&
    mayRelocate &&
    !existsSync(join(requestedDir, 'postgres')) &&
    existsSync(join(relocatedDir, 'postgres'))
  const dataDir = isRelocated ? relocatedDir : requestedDir
  const cluster = join(dataDir, 'postgres')
  try {
    const { uid } = statSync(cluster)
    const { postgres: password } = JSON.parse(
      readFileSync(join(dataDir, PASSWORDS_FILE), 'utf8'),
    ) as { postgres: string }
    if (!isPostmasterRunning(cluster)) return { dataDir, state: 'stopped' }
    const host = encodeURIComponent(socketFolder(dataDir, uid, application))
    return {
      dataDir,
      state: 'running',
      url: `postgresql://postgres:${password}@localhost/${database}?host=${host}&port=5432&sslmode=disable`,
    }
  } catch (error) {
    return {
      dataDir,
      state: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'none' : 'unreadable',
    }
  }
}
