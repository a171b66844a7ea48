import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
// An abstract name has to fill the whole of sun_path: Node 20 pads a shorter one to it and Node 24 does not, so they would not meet.
const ABSTRACT_LENGTH = 107

/**
 * Runs `work` while nobody else who asks for the same `folder` does. The lock is a listening socket, which the system frees when its
 * holder dies, however that happens. A child given `fd` in its stdio holds it too, and so outlives a killed parent.
 */
export async function oneAtATime(folder, sayWaiting, work) {
  const hash = createHash('sha512').update(folder).digest('hex')
  const isLinux = process.platform === 'linux'
  const path = isLinux ? `\0${hash.slice(0, ABSTRACT_LENGTH)}` : join(tmpdir(), `tatami-${hash.slice(0, 16)}.sock`)
  let lock = await take(path)
  if (!lock) sayWaiting()
  while (!lock) {
    await sleep(POLL_MS)
    if (!isLinux && (await isLeftBehind(path))) rmSync(path, { force: true })
    lock = await take(path)
  }
  try {
    return await work({ fd: lock._handle.fd })
  } finally {
    lock.close()
  }
}

/** @returns the lock, or nothing when somebody else has it */
const take = (path) =>
  new Promise((resolve, reject) => {
    const lock = createServer((socket) => socket.destroy())
    lock.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    lock.listen(path, () => resolve(lock))
  })

/** Where a socket is a file, the file survives its holder. */
const isLeftBehind = (path) =>
  new Promise((resolve) => {
    const knock = connect(path, () => resolve(false))
    knock.once('error', (error) => resolve(error.code === 'ECONNREFUSED')).once('close', () => knock.destroy())
  })
