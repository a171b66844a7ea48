import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Finds the newest file, except hidden, empty and unfinished files. Returns null if there is none,
 *  and throws if the folder cannot be read. */
export async function findNewestFile(
  folder: string,
): Promise<{ name: string; modified: Date; bytes: number } | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let newestFile: { name: string; modified: Date; bytes: number } | null = null
  for (const name of names.filter((fileName) => !/^\.|\.(tmp|part|new)$/.test(fileName))) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile() && file.size > 0 && (!newestFile || file.mtime > newestFile.modified))
      newestFile = { name, modified: file.mtime, bytes: file.size }
  }
  return newestFile
}
