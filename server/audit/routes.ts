import { auditApi } from '@tatami/contract/audit/audit'
import { type App, serve } from '../http/serve.ts'
import { readAuditLog } from './audit-log.ts'

export const auditRoutes = (app: App) =>
  serve(app, auditApi, { list: ({ tx, caller, query }) => readAuditLog(tx, caller, query) })
