import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@tatami/postgres/embedded-postgres'
import { type Inspection, inspectDataFolder } from '@tatami/postgres/inspect'
import { StartupError } from '../lib/startup-error.ts'

type Options = Omit<EmbeddedPostgresOptions, 'application' | 'database' | 'roles'>

/** The setting that helps. */
const ADVICE: Partial<Record<EmbeddedPostgresErrorCode, string>> = {
  unsupported_platform: 'Set DATABASE_URL to a PostgreSQL of your own, from version 15 up.',
  no_system_user: 'Start Tatami as an ordinary user, or set DATABASE_URL.',
  folder_unreachable: 'Open the folders above it, or set DATA_DIR to one that is open.',
}

const EMBEDDED_OPTIONS = { application: { name: 'Tatami', id: 'tatami' }, database: 'tatami' }

export const inspectEmbeddedDatabase = (folder: {
  dataDir: string
  mayRelocate: boolean
}): Inspection => inspectDataFolder({ ...EMBEDDED_OPTIONS, ...folder })

export async function startEmbeddedDatabase(
  options: Options,
): Promise<EmbeddedPostgres<'tatami_app'>> {
  try {
    return await startEmbeddedPostgres({
      ...EMBEDDED_OPTIONS,
      roles: ['tatami_app'],
      ...options,
    })
  } catch (error) {
    throw startupError(error)
  }
}

/** The folder's database, with the superuser's login while it runs; undefined if there is none. */
export function findEmbeddedDatabase(
  options: Pick<Options, 'dataDir' | 'mayRelocate'>,
): ReturnType<typeof findEmbeddedPostgres> {
  try {
    return findEmbeddedPostgres({ ...EMBEDDED_OPTIONS, ...options })
  } catch (error) {
    throw startupError(error)
  }
}

const startupError = (error: unknown) =>
  error instanceof EmbeddedPostgresError
    ? new StartupError([error.message, ADVICE[error.code]].filter(Boolean).join(' '), {
        cause: error,
      })
    : error
