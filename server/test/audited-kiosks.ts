import type { AuditedCall } from './audited-payments.ts'

export const AUDITED_KIOSKS: Record<string, AuditedCall> = {
  'POST /kiosks': { action: 'kiosk switched on' },
  'POST /kiosk-links': { action: 'kiosk link made' },
  'DELETE /kiosks/:id': { action: 'kiosk ended' },
  'PUT /kiosk-settings': { action: 'kiosk settings changed' },
  'PUT /students/:id/pin': { action: 'check-in PIN changed' },
  'DELETE /students/:id/pin': { action: 'check-in PIN changed' },
  'PUT /my/students/:id/pin': { action: 'check-in PIN changed', callerRole: 'student' },
  'DELETE /my/students/:id/pin': { action: 'check-in PIN changed', callerRole: 'student' },
  'POST /my/check-in/code': { action: 'check-in code renewed', callerRole: 'student' },
}
