import { spawnSync } from 'node:child_process'

/** Debian's packages for scripts/scan.ts that are not installed here. */
export const missingScanners = (): string[] =>
  ['sqlmap', 'wapiti'].filter(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined,
  )
