import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Ignores hidden, empty and unfinished files. Null if there is none. Throws if not readable. */
export async function newestFile(
  folder: string,
): Promise<{ name: string; modified: Date; bytes: number } | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let newest: { name: string; modified: Date; bytes: number } | null = null
  for (const name of names.filter((fileName) => !/^\.|\.(tmp|part|new)$/.test(fileName))) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile() && file.size > 0 && (!newest || file.mtime > newest.modified))
      newest = { name, modified: file.mtime, bytes: file.size }
  }
  return newest
}
