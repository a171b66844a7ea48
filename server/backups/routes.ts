import { backupsApi } from '@tatami/contract/backups/backups'
import { type App, serve } from '../http/serve.ts'
import { backupStatus } from './attempts.ts'

/** `isOn` says whether this server makes nightly backups. */
export const backupsRoutes = (app: App, isOn: boolean) =>
  serve(app, backupsApi, { status: ({ tx }) => backupStatus(tx, isOn) })
