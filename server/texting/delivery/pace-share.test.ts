import { expect, test } from 'vitest'
import { shareAfterRefusal, shareNow } from './pace-share.ts'

/** Sends in a time of its own. `refuses` is asked of each call, which it gets with its moment in seconds. */
function simulate({
  texts,
  perSecond,
  refuses,
}: {
  texts: number
  perSecond: number
  refuses: (call: number, seconds: number) => boolean
}) {
  let ms = 0,
    calls = 0,
    sent = 0,
    share = 1,
    slowedAt = 0
  while (sent < texts && ms < 600_000) {
    const now = shareNow({ share, sinceMs: ms - slowedAt })
    ms += 1000 / (perSecond * now)
    calls += 1
    if (refuses(calls, ms / 1000)) [share, slowedAt] = [shareAfterRefusal(shareNow({ share, sinceMs: ms - slowedAt }), perSecond), ms]
    else sent += 1
  }
  return { seconds: ms / 1000, calls, sent }
}

/** The same calls in every run, in no pattern. */
const someOf = (share: number) => (call: number) => ((call * 2_654_435_761) % 2 ** 32) / 2 ** 32 < share

test('one refusal takes one text a second off the pace, at most half of it', () => {
  expect([shareAfterRefusal(1, 40), shareAfterRefusal(0.5, 10), shareAfterRefusal(1, 1), shareAfterRefusal(0.1, 10)]).toEqual([
    0.975, 0.4, 0.5, 0.05,
  ])
})

test('a second gives back a fifth of the full pace, never more than all of it', () => {
  expect([0, 1000, 2500, 60_000, -5].map((sinceMs) => shareNow({ share: 0.5, sinceMs }))).toEqual([0.5, 0.7, 1, 1, 0.5])
})

test('600 texts at a pace of 40, of which a fifth is refused at random, leave within 30 s', () => {
  expect(simulate({ texts: 600, perSecond: 40, refuses: someOf(0.2) }).seconds).toBeLessThan(25)
})

test('5 % refused at random cost a pace of 100 less than a tenth', () => {
  expect(simulate({ texts: 2000, perSecond: 100, refuses: someOf(0.05) }).seconds).toBeLessThan(2000 / 90)
})

test('a provider that takes 20 a second gets that and a fifth of the full pace more, not the full pace', () => {
  let taken = 0,
    second = 0
  const refuses = (_: number, seconds: number) => {
    if (Math.floor(seconds) > second) [second, taken] = [Math.floor(seconds), 0]
    taken += 1
    return taken > 20
  }
  const { seconds, calls } = simulate({ texts: 1000, perSecond: 100, refuses })
  expect(seconds).toBeLessThan(1000 / 18)
  expect(calls / seconds).toBeLessThan(20 + 20 + 5)
})

test('a provider that refuses everything gets no more than a fifth of the full pace', () => {
  const refuses = (_: number, seconds: number) => seconds < 60
  const { calls, seconds } = simulate({ texts: 1, perSecond: 40, refuses })
  expect(seconds).toBeLessThan(62)
  expect(calls).toBeLessThan(60 * 8 + 40)
})
