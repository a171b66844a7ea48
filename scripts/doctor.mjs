/** Reports what is wrong (`npm run doctor`) and changes nothing. Plain JavaScript without
 *  packages, because it checks those first. The other checks are in server/doctor.ts. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { matchesLockfile, NODE_MAJOR, nodePath, nodeVersionError } from './install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)

function findInstallationProblem() {
  const nodeProblem = nodeVersionError(root)
  if (nodeProblem)
    return { check: 'Node', says: nodeProblem, remedy: 'Install Node from https://nodejs.org.' }
  if (matchesLockfile(root)) return undefined
  return {
    check: 'Packages',
    says: 'The packages in node_modules belong to another version.',
    remedy: 'Stop Tatami and run "npm start", which installs the right ones.',
  }
}

const problem = findInstallationProblem()
if (problem) {
  const finding = { ...problem, state: 'problem' }
  console.log(
    args.includes('--json')
      ? JSON.stringify({ findings: [finding] })
      : `✗ ${problem.check}: ${problem.says}\n  → ${problem.remedy}`,
  )
  process.exitCode = 1
} else if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  const { status } = spawnSync(nodePath(root), [join(root, 'server/doctor.ts'), ...args], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} else {
  await import('../server/doctor.ts')
}
