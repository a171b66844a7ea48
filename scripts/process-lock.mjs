import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
// Fills sun_path exactly: Node 20 pads shorter abstract names and Node 24 does not.
const ABSTRACT_LENGTH = 107

/** Runs `work` while no other process does so for the same `folder`. The lock is a listening
 *  socket, which the system frees when its holder dies. A child that inherits `fd` holds it, too.
 */
export async function withProcessLock(folder, onWait, work) {
  const hash = createHash('sha512').update(folder).digest('hex')
  const isLinux = process.platform === 'linux'
  const path = isLinux
    ? `\0${hash.slice(0, ABSTRACT_LENGTH)}`
    : join(tmpdir(), `tatami-${hash.slice(0, 16)}.sock`)
  let lock = await tryLock(path)
  if (!lock) onWait()
  while (!lock) {
    await sleep(POLL_MS)
    if (!isLinux && (await isStale(path))) rmSync(path, { force: true })
    lock = await tryLock(path)
  }
  try {
    return await work({ fd: lock._handle.fd })
  } finally {
    lock.close()
  }
}

/** @returns the lock, or undefined when another process has it */
const tryLock = (path) =>
  new Promise((resolve, reject) => {
    const lock = createServer((socket) => socket.destroy())
    lock.once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    lock.listen(path, () => resolve(lock))
  })

/** A socket file outlives its holder. */
const isStale = (path) =>
  new Promise((resolve) => {
    const probe = connect(path, () => resolve(false))
    probe
      .once('error', (error) => resolve(error.code === 'ECONNREFUSED'))
      .once('close', () => probe.destroy())
  })
