import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Build, readBuild } from '../lib/version.ts'
import { errorCodeOf, type Finding, messageOf, ok, problem, warning } from './finding.ts'

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
        `This is Node ${version}, but Tatami needs ${NODE_MAJOR} or newer.`,
        'Install Node from https://nodejs.org.',
      )
}

type ServerAddress = { host: string; port: number }

function localUrl({ host, port }: ServerAddress): string {
  const name =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}

/** If Tatami runs at the address, checks that it is ready and runs these files. If not, checks that
 *  the port is free. */
export async function checkPort(
  address: ServerAddress,
): Promise<{ findings: Finding[]; isRunning: boolean }> {
  const { host, port } = address
  const url = localUrl(address)
  const runningBuild = await findRunningBuild(url)
  if (runningBuild) {
    const { ok: isReady } = await fetch(`${url}/api/health/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => ({ ok: false }))
    const finding = isReady
      ? ok('Server', `Tatami is running at ${url} and is ready.`)
      : problem(
          'Server',
          `Tatami is running at ${url} but is not ready: its database is down, is read-only, ` +
            'has no disk space, or lacks migrations.',
          'See the results for Disk and Database below, and the log.',
        )
    return { findings: [finding, compareBuilds(runningBuild)], isRunning: true }
  }
  const failure = await tryToListen(address)
  const finding = failure
    ? problem('Server', ...describeListenProblem(failure, host, port))
    : ok('Server', `Tatami is not running, and port ${port} of ${host} is free.`)
  return { findings: [finding], isRunning: false }
}

async function findRunningBuild(url: string): Promise<Partial<Build> | null> {
  try {
    const response = await fetch(`${url}/api/health/live`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body = (await response.json()) as ({ status?: string } & Partial<Build>) | null
    return response.headers.has('x-request-id') && body?.status === 'ok' ? body : null
  } catch {
    return null
  }
}

const RESTART =
  'Run "npm run backup", then restart the server: "systemctl restart tatami" for a service, ' +
  'otherwise stop it and run "npm start". If the server runs from another folder, run the ' +
  'doctor there instead.'

/** Compares the running server's files with those on disk, which an update may have replaced. */
export function compareBuilds(runningBuild: Partial<Build>, ownBuild = readBuild()): Finding {
  if (runningBuild.version === undefined)
    return problem(
      'Version',
      `The running server is older than the files here (Tatami ${ownBuild.version}).`,
      RESTART,
    )
  if (runningBuild.version !== ownBuild.version)
    return problem(
      'Version',
      `The running server is Tatami ${runningBuild.version}, but the files here are Tatami ` +
        `${ownBuild.version}.`,
      RESTART,
    )
  return runningBuild.files === ownBuild.files
    ? ok('Version', `The server runs the files here, Tatami ${ownBuild.version}.`)
    : problem(
        'Version',
        `The files here, also Tatami ${ownBuild.version}, have changed since the server started.`,
        RESTART,
      )
}

function tryToListen({ host, port }: ServerAddress): Promise<string | null> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error) => resolve(errorCodeOf(error)))
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
}

function describeListenProblem(
  code: string,
  host: string,
  port: number,
): [says: string, remedy: string] {
  const address = `port ${port} of ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return [
        `Another program uses ${address}.`,
        `Run "ss -ltnp sport = :${port}" as root to find it. Stop it, or set another PORT.`,
      ]
    case 'EACCES':
      return [
        `You have no permission to open ${address}.`,
        'Set PORT to a number above 1023, and use a reverse proxy (deploy/Caddyfile).',
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [
        `${host} is not an address of this machine.`,
        'Set HOST to 127.0.0.1 behind a reverse proxy, or to 0.0.0.0 without one.',
      ]
    default:
      return [`Cannot listen on ${address} (${code}).`, 'Correct HOST and PORT.']
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
  const existingFolder = await findExistingFolder(folder)
  const { freeBytes, totalBytes, freeFiles, totalFiles } = await read(existingFolder)
  const room = `${formatSize(freeBytes)} of ${formatSize(totalBytes)} free on the disk of ${folder}`
  const remedy =
    'Free some space, starting with old backups and logs, or use a larger disk. When it is ' +
    'full, Tatami cannot save anything.'
  if (totalFiles > 0 && freeFiles / totalFiles < 0.01)
    return problem('Disk', `The disk of ${folder} has no room for more files.`, remedy)
  if (freeBytes < DISK_PROBLEM_BYTES) return problem('Disk', `Only ${room}.`, remedy)
  if (freeBytes < DISK_WARNING_BYTES) return warning('Disk', `Only ${room}.`, remedy)
  return ok('Disk', `${room}.`)
}

const formatSize = (bytes: number) =>
  bytes < GB ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / GB).toFixed(1)} GB`

async function findExistingFolder(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  return exists || dirname(path) === path ? path : findExistingFolder(dirname(path))
}

export async function checkDataFolder(dataDir: string, settingsFile?: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const folder = await stat(dataDir).catch((error: unknown) => errorCodeOf(error))
  if (folder === 'ENOENT')
    findings.push(ok('Data folder', `${dataDir} does not exist yet. The first start creates it.`))
  else if (typeof folder === 'string') findings.push(noPermission(dataDir))
  else {
    const mayUse = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!mayUse) findings.push(noPermission(dataDir))
    else if (folder.mode & (OTHER_USERS | GROUP_WRITE))
      findings.push(
        problem(
          'Data folder',
          `Other users of this machine can open ${dataDir}.`,
          `chmod o-rwx,g-w ${dataDir}`,
        ),
      )
    else findings.push(ok('Data folder', `Other users cannot open ${dataDir}.`))
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
          `Other users of this machine can read the passwords in ${file}.`,
          `chmod o-rwx ${file}`,
        ),
      )
  }
  return findings
}

const noPermission = (dataDir: string) =>
  problem(
    'Data folder',
    `You have no permission to use ${dataDir}.`,
    'Run the doctor as root or as the user that runs Tatami, or give that user the folder.',
  )

export const checkFailed = (check: string, error: unknown): Finding =>
  problem(check, `The check failed: ${messageOf(error)}`, 'Please report this.')
