import { expect, test } from 'vitest'
import { findStage, type LeadEventKind } from './stages.ts'

const stageOf = (...kinds: LeadEventKind[]) =>
  findStage(kinds.map((kind, day) => ({ kind, at: `2026-03-${10 + day}` }))).stage

test.each<[LeadEventKind[], string]>([
  [['created'], 'new'],
  [['created', 'note'], 'new'],
  [['created', 'call'], 'talking'],
  [['created', 'booked', 'text'], 'booked'],
  [['created', 'booked', 'came'], 'came'],
  [['created', 'booked', 'missed'], 'talking'],
  [['created', 'booked', 'came', 'deciding', 'call'], 'deciding'],
  [['created', 'booked', 'came', 'visitor_joined'], 'came'],
  [['created', 'booked', 'came', 'joined'], 'joined'],
  [['created', 'lost'], 'lost'],
  [['created', 'lost', 'call'], 'lost'],
  [['created', 'lost', 'booked'], 'booked'],
  [['created', 'lost', 'reopened'], 'talking'],
  [['created', 'joined', 'came', 'lost'], 'joined'],
  [['created', 'joined', 'reopened'], 'talking'],
])('%j lead to the stage %s', (kinds, stage) => {
  expect(stageOf(...kinds)).toBe(stage)
})

test('says since when a lead is in a stage', () => {
  expect(
    findStage([
      { kind: 'created', at: '2026-03-10' },
      { kind: 'call', at: '2026-03-11' },
      { kind: 'text', at: '2026-03-12' },
    ]),
  ).toEqual({ stage: 'talking', since: '2026-03-11' })
})
