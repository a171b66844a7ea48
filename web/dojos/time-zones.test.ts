import { isTimeZone } from '@tatami/contract/dojos/dojos'
import { expect, test } from 'vitest'
import { listTimeZoneOptions } from './time-zones.ts'

const listLabels = (options: ReturnType<typeof listTimeZoneOptions>) =>
  options.map(({ group, items }) => [group, ...items.map(({ label }) => label)])

test("lists the dojo's time zone, then the United States, then all others by continent", () => {
  const supportedZones = [
    'America/Argentina/Ushuaia',
    'America/Chicago',
    'America/Belem',
    'Asia/Calcutta',
    'Asia/Tokyo',
    'Etc/UTC',
    'UTC',
  ]
  expect(listLabels(listTimeZoneOptions('Asia/Tokyo', supportedZones))).toEqual([
    ['Current', 'Tokyo'],
    [
      'United States',
      'Eastern Time (New York)',
      'Central Time (Chicago)',
      'Mountain Time (Denver)',
      'Mountain Time, no daylight saving (Phoenix)',
      'Pacific Time (Los Angeles)',
      'Alaska Time (Anchorage)',
      'Hawaii Time (Honolulu)',
    ],
    ['America', 'Belem', 'Ushuaia, Argentina'],
    ['Asia', 'Kolkata'],
  ])
})

test('offers each time zone once, and only those that the server accepts', () => {
  const values = listTimeZoneOptions('America/Chicago').flatMap(({ items }) =>
    items.map(({ value }) => value),
  )
  expect(values[0]).toBe('America/Chicago')
  expect(new Set(values).size).toBe(values.length)
  expect(values).toContain('Europe/Paris')
  expect(values.filter((value) => !isTimeZone(value))).toEqual([])
})
