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

const ADVICE: Partial<Record<EmbeddedPostgresErrorCode, string>> = {
  unsupported_platform: 'Set DATABASE_URL to your own PostgreSQL, version 15 or newer.',
  no_system_user: 'Start Tatami as an ordinary user, or set DATABASE_URL.',
  folder_unreachable: 'Give it access to the folders above, or set DATA_DIR to another folder.',
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
    return await startEmbeddedPostgres({ ...EMBEDDED_OPTIONS, roles: ['tatami_app'], ...options })
  } catch (error) {
    throw toStartupError(error)
  }
}

export function findEmbeddedDatabase(
  options: Pick<Options, 'dataDir' | 'mayRelocate'>,
): ReturnType<typeof findEmbeddedPostgres> {
  try {
    return findEmbeddedPostgres({ ...EMBEDDED_OPTIONS, ...options })
  } catch (error) {
    throw toStartupError(error)
  }
}

const toStartupError = (error: unknown) =>
  error instanceof EmbeddedPostgresError
    ? new StartupError(`${error.message} ${ADVICE[error.code] ?? ''}`.trim(), { cause: error })
    : error
