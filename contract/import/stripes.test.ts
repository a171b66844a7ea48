import { expect, test } from 'vitest'
import { findBelt } from './belts.ts'
import { parseGrade } from './grades.ts'
import { splitStripes } from './stripes.ts'

test.each([
  ['White w/ 1 stripe', 'White', 1],
  ['White with 2 stripes', 'White', 2],
  ['Blue belt (3 stripes)', 'Blue belt', 3],
  ['Blue 2 stripes', 'Blue', 2],
  ['4-stripe white belt', 'white belt', 4],
  ['Blue - 4 tips', 'Blue', 4],
  ['Yellow - 3 Tips', 'Yellow', 3],
  ['blue, two stripes', 'blue', 2],
  ['Yellow no stripes', 'Yellow', 0],
  ['Purple stripe: 3', 'Purple', 3],
  ['White III', 'White', 3],
  ['white iv', 'white', 4],
  ['white/1', 'white', 1],
  ['White 0', 'White', 0],
  ['White - 2', 'White', 2],
  ['Grey/White (3)', 'Grey/White', 3],
  ['Blue4', 'Blue', 4],
  ['Purple | |', 'Purple', 2],
  ['Purple ||', 'Purple', 2],
  ['Brown ★★★', 'Brown', 3],
  ['Black, 2 stripes', 'Black', 2],
  ['White', 'White', null],
  ['white belt, yellow stripe', 'white belt, yellow stripe', null],
  ['White 99 stripes', 'White 99 stripes', null],
  ['Level 3', 'Level 3', null],
  ['Blue 2019', 'Blue 2019', null],
  ['Blue 5/6/2019', 'Blue 5/6/2019', null],
  ['3rd kyu (brown)', '3rd kyu (brown)', null],
  ['Black belt 2nd degree', 'Black belt 2nd degree', null],
  ['Black 2', 'Black 2', null],
  ['2nd degree', '2nd degree', null],
])('splits %j into the belt %j and %j stripes', (text, belt, stripes) => {
  expect(splitStripes(text)).toEqual({ belt, stripes })
})

test.each([
  ['Black Belt, 2nd Dan', { unit: 'dan', number: 2 }],
  ['Black 2nd degree', { unit: 'dan', number: 2 }],
  ['Third Degree Black Belt', { unit: 'dan', number: 3 }],
  ['Black Belt II', { unit: 'dan', number: 2 }],
  ['Black 4', { unit: 'dan', number: 4 }],
  ['Shodan', { unit: 'dan', number: 1 }],
  ['Sandan (3rd dan)', { unit: 'dan', number: 3 }],
  ['8th Kyu - Yellow', { unit: 'kyu', number: 8 }],
  ['Ikkyu', { unit: 'kyu', number: 1 }],
  ['4th Geup', { unit: 'gup', number: 4 }],
  ['2nd Poom', { unit: 'poom', number: 2 }],
  ['Black', null],
  ['White 2', null],
])('reads the grade of %j', (belt, grade) => {
  expect(parseGrade(belt)).toEqual(grade)
})

test.each([
  ['Shodan', 'black'],
  ['1st degree black belt', 'black'],
  ['3rd kyu (brown)', 'brown'],
  ['2nd Dan', undefined],
  ['Black 2nd degree', undefined],
  ['White w/ yellow stripe', undefined],
  ['Purple', undefined],
])('finds %j among the seven belts', (belt, level) => {
  expect(findBelt(belt)?.belt_level).toBe(level)
})
