import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'

const backupStatus = z.object({
  is_on: z.boolean(),
  /** True if the last backup, or the installation, was more than 36 hours ago. */
  is_late: z.boolean(),
  last: z.object({ made_at: z.string(), bytes: z.number(), file: z.string() }).nullable(),
  /** The newest failure, unless a backup has succeeded since. */
  failure: z.object({ at: z.string(), reason: z.string() }).nullable(),
})
export type BackupStatus = z.output<typeof backupStatus>

export const backupsApi = {
  status: {
    method: 'GET',
    path: '/super-admin/backups',
    access: 'super-admin',
    summary: 'When the last nightly backup was made, and why there is no newer one',
    reply: backupStatus,
  },
} as const satisfies Api
