export const AUDIT_KINDS = [
  'students',
  'families',
  'log_ins',
  'staff',
  'payments',
  'classes',
  'belts',
  'texts',
  'documents',
  'settings',
  'exports',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]
