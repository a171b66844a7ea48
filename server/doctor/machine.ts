import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Copy, copyOnDisk } from '../lib/version.ts'
import { codeOf, type Finding, messageOf, ok, problem, warning } from './finding.ts'

const NODE_MAJOR = 24
const TIMEOUT_MS = 4_000
const GB = 1e9
/** PostgreSQL stops when the disk is full. Backups and migrations need space as well. */
const DISK_PROBLEM_BYTES = 0.5 * GB,
  DISK_WARNING_BYTES = 2 * GB
const OTHER_USERS = 0o007,
  GROUP_WRITE = 0o020

export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= NODE_MAJOR
    ? ok('Node', `Node ${version}.`)
    : problem(
        'Node',
        `This is Node ${version}, and Tatami needs ${NODE_MAJOR} or newer.`,
        'Install it from https://nodejs.org.',
      )
}

type ServerAddress = { host: string; port: number }

function localUrl({ host, port }: ServerAddress): string {
  const name =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}

/** Checks whether Tatami runs at the port and which copy it is, or whether the port is free. */
export async function checkPort(
  address: ServerAddress,
): Promise<{ findings: Finding[]; isRunning: boolean }> {
  const { host, port } = address
  const url = localUrl(address)
  const live = await liveTatami(url)
  if (live) {
    const { ok: isReady } = await fetch(`${url}/api/health/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => ({ ok: false }))
    const finding = isReady
      ? ok('Server', `Tatami runs at ${url} and is ready.`)
      : problem(
          'Server',
          `Tatami runs at ${url} and is not ready: its database is away, only reads, has ` +
            'no room, or lacks migrations.',
          'What is found of the disk and the database here says why; so does the log.',
        )
    return { findings: [finding, checkCopy(live)], isRunning: true }
  }
  const failure = await tryToListen(address)
  const finding = failure
    ? problem('Server', ...listenProblem(failure, host, port))
    : ok('Server', `Tatami does not run; port ${port} of ${host} is free.`)
  return { findings: [finding], isRunning: false }
}

async function liveTatami(url: string): Promise<Partial<Copy> | null> {
  try {
    const answer = await fetch(`${url}/api/health/live`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const reply = (await answer.json()) as ({ status?: string } & Partial<Copy>) | null
    return answer.headers.has('x-request-id') && reply?.status === 'ok' ? reply : null
  } catch {
    return null
  }
}

const RESTART =
  'Restart it, after "npm run backup": "systemctl restart tatami" as a service, else ' +
  'stop it and "npm start". Or run the doctor of its own copy.'

/** Compares the running server's files with those on disk, which an update may have replaced. */
export function checkCopy(running: Partial<Copy>, ownCopy = copyOnDisk()): Finding {
  if (running.version === undefined)
    return problem(
      'Version',
      `The server that runs is older than the files here, which are Tatami ${ownCopy.version}.`,
      RESTART,
    )
  if (running.version !== ownCopy.version)
    return problem(
      'Version',
      `The server that runs is Tatami ${running.version}, and the files here are Tatami ` +
        `${ownCopy.version}.`,
      RESTART,
    )
  return running.files === ownCopy.files
    ? ok('Version', `The server that runs is of the files here, Tatami ${ownCopy.version}.`)
    : problem(
        'Version',
        `The files here have changed since the server started; both are Tatami ${ownCopy.version}.`,
        RESTART,
      )
}

function tryToListen({ host, port }: ServerAddress): Promise<string | null> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error) => resolve(codeOf(error)))
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
}

function listenProblem(code: string, host: string, port: number): [says: string, remedy: string] {
  const address = `port ${port} of ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return [
        `Another program has ${address}.`,
        `"ss -ltnp sport = :${port}" (as root) says which. Stop it, or set PORT to another.`,
      ]
    case 'EACCES':
      return [
        `This user may not open ${address}.`,
        'Set PORT to one above 1023, and put a reverse proxy in front (deploy/Caddyfile).',
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [
        `${host} is no address of this machine.`,
        'Set HOST to 127.0.0.1 behind a reverse proxy, to 0.0.0.0 without one.',
      ]
    default:
      return [`It is not possible to listen on ${address} (${code}).`, 'Set HOST and PORT.']
  }
}

type Disk = { freeBytes: number; totalBytes: number; freeFiles: number; totalFiles: number }
type ReadDisk = (folder: string) => Promise<Disk>
const readDisk: ReadDisk = async (folder) => {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder)
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeFiles: ffree,
    totalFiles: files,
  }
}

export async function checkDisk(folder: string, read = readDisk): Promise<Finding> {
  const existing = await nearestExisting(folder)
  const { freeBytes, totalBytes, freeFiles, totalFiles } = await read(existing)
  const room = `${size(freeBytes)} of ${size(totalBytes)} are free on the disk of ${folder}`
  const remedy =
    'Delete what is not needed there, old backups and logs first, or give it a larger ' +
    'disk: a full one stops all writing.'
  if (totalFiles > 0 && freeFiles / totalFiles < 0.01)
    return problem('Disk', `The disk of ${folder} has no room for more files.`, remedy)
  if (freeBytes < DISK_PROBLEM_BYTES) return problem('Disk', `Only ${room}.`, remedy)
  if (freeBytes < DISK_WARNING_BYTES) return warning('Disk', `Only ${room}.`, remedy)
  return ok('Disk', `${room}.`)
}

const size = (bytes: number) =>
  bytes < GB ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / GB).toFixed(1)} GB`

async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path))
}

export async function checkDataFolder(dataDir: string, settingsFile?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const folder = await stat(dataDir).catch((error: unknown) => codeOf(error))
  if (folder === 'ENOENT')
    findings.push(ok('Data folder', `${dataDir} does not exist yet; the first start makes it.`))
  else if (typeof folder === 'string') findings.push(notAllowed(dataDir))
  else {
    const mayUse = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!mayUse) findings.push(notAllowed(dataDir))
    else if (folder.mode & (OTHER_USERS | GROUP_WRITE))
      findings.push(
        problem(
          'Data folder',
          `Other users of this machine may enter ${dataDir}.`,
          `chmod o-rwx,g-w ${dataDir}`,
        ),
      )
    else findings.push(ok('Data folder', `${dataDir} is closed to other users.`))
  }
  for (const file of [
    join(dataDir, 'postgres-passwords.json'),
    ...(settingsFile ? [settingsFile] : []),
  ]) {
    const fileStats = await stat(file).catch(() => null)
    if (fileStats?.isFile() && fileStats.mode & OTHER_USERS)
      findings.push(
        problem(
          'Secrets',
          `Other users of this machine may read the passwords in ${file}.`,
          `chmod o-rwx ${file}`,
        ),
      )
  }
  return findings
}

const notAllowed = (dataDir: string) =>
  problem(
    'Data folder',
    `This user may not use ${dataDir}.`,
    'Run this as root or as the user who runs Tatami, or give the folder to them.',
  )

export const checkFailed = (check: string, error: unknown): Finding =>
  problem(check, `This could not be checked: ${messageOf(error)}`, 'Please report it.')
