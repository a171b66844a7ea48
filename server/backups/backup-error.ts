/** Why a backup cannot be made, read or restored, in words for the user. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'there is a file of that name already',
  EISDIR: 'it is a folder',
}

/** Turns a file system error into a sentence that begins with `subject`; returns other errors
 *  unchanged. */
export function asBackupError(error: unknown, subject: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const isOfFiles =
    error instanceof Error && 'syscall' in error && typeof code === 'string' && 'errno' in error
  return isOfFiles
    ? new BackupError(`${subject}: ${REASONS[code] ?? error.message}.`, { cause: error })
    : error
}
