/** The reason why a backup cannot be made, read or restored. The message is for the user. */
export class BackupError extends Error {
  override name = 'BackupError'
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  ENOTDIR: 'part of the path is a file, not a folder',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'a file with this name already exists',
  EISDIR: 'it is a folder',
}

/** Turns a file system error into a sentence about `subject`. Other errors stay unchanged. */
export function toBackupError(error: unknown, subject: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  const isFileError =
    error instanceof Error && 'syscall' in error && typeof code === 'string' && 'errno' in error
  return isFileError
    ? new BackupError(`${subject}: ${REASONS[code] ?? error.message}.`, { cause: error })
    : error
}
