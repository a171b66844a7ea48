import { backupsApi } from '@tatami/contract/backups/backups'
import { type App, serve } from '../http/serve.ts'
import { readBackupStatus } from './attempts.ts'

export const backupsRoutes = (app: App, isOn: boolean) =>
  serve(app, backupsApi, { status: ({ tx }) => readBackupStatus(tx, isOn) })
