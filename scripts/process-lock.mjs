import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
// The maximum length of the name of a Unix socket. Node 20 pads shorter names, and Node 24 does
// not.
const ABSTRACT_LENGTH = 107

/** Runs `work` while no other process has the lock of the folder. The lock is a listening socket,
 *  which closes when the process dies. A child that inherits `fd` keeps it open. */
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

/** Returns the lock, or undefined if another process has it. */
const tryLock = (path) =>
  new Promise((resolve, reject) => {
    const lock = createServer((socket) => socket.destroy())
    lock.once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    lock.listen(path, () => resolve(lock))
  })

/** True if no process listens at the socket file. The file remains when its process dies. */
const isStale = (path) =>
  new Promise((resolve) => {
    const probe = connect(path, () => resolve(false))
    probe
      .once('error', (error) => resolve(error.code === 'ECONNREFUSED'))
      .once('close', () => probe.destroy())
  })
