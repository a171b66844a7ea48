import { fold } from './values.ts'
import { regex } from './patterns.ts'

const OF_STUDENT = regex()`
  ^(the |our )?(students?|members?|participants?|child|children|athletes?|personal|basic|general
  |contact|name|names|student s)( (info\w*|details?|data|name|s))*$`
const OF_ANOTHER = regex()`
  \b(parents?|guardians?|mother|mom|mum|father|dad|emergency|billing|payer|payments?|waivers?
  |insurance|doctor|physician|school|siblings?|instructor|coach|referr\w*|address|pick ?up)\b`
const LONGEST_GROUP = 40

/** Whether this row groups the headings below it: "Student", "Parent 1". */
export function isGroupRow(groups: readonly string[], headings: readonly string[]): boolean {
  const filledGroups = groups.map(fold).filter(Boolean)
  const headingCount = headings.map(fold).filter(Boolean).length
  return (
    filledGroups.length >= 2 &&
    filledGroups.length < headingCount &&
    groups.every((group) => group.length <= LONGEST_GROUP) &&
    filledGroups.some((group) => OF_ANOTHER.test(group) || OF_STUDENT.test(group))
  )
}

export function withGroups(
  groups: readonly string[],
  headings: readonly string[],
  isKnown: (heading: string) => boolean,
): string[] {
  let group = ''
  return headings.map((heading, column) => {
    group = (groups[column] ?? '').trim() || group
    const words = fold(group)
    if (words === '' || OF_STUDENT.test(words)) return heading
    const groupedHeading = heading.trim() === '' ? group : `${group} ${heading.trim()}`
    return OF_ANOTHER.test(words) || isKnown(groupedHeading) ? groupedHeading : heading
  })
}

const RELATION = /^relation(ship)?( to (the )?(student|child|participant|member|athlete))?$/
const OF_CONTACT = regex()`
  ^((first|last|full|given|family) )?name$|^(first|last|surname)$|^((cell|mobile|home|work
  |primary) )?(phone|cell|mobile|telephone|tel|number|e ?mail)( (number|address))?$`

/** The contact headings that follow belong to this person: `ownsAll` or only the repeated ones. */
type Owner = { name: string; ownsAll: boolean }

type HeadingReader = {
  /** The person whom the next columns may be about, or null if the heading names no person. */
  ownerOf: (heading: string) => string | null
  isWholeName: (heading: string) => boolean
  isNamePart: (heading: string) => boolean
}

/** In "Name, Phone, Parent, Phone" the second phone is the parent's. */
export function withOwners(headings: readonly string[], reader: HeadingReader): string[] {
  const words = headings.map(fold)
  const isRelation = (column: number) => RELATION.test(words[column] ?? '')
  const isWholeName = (column: number) => reader.isWholeName(headings[column] ?? '')
  const isRepeated = (heading: string) => words.indexOf(heading) !== words.lastIndexOf(heading)
  let hasStudent = false
  let owner: Owner | null = null
  return headings.map((heading, column) => {
    const ownWords = words[column] ?? ''
    const namedOwner = reader.ownerOf(heading)
    if (namedOwner !== null) {
      owner = { name: namedOwner, ownsAll: false }
      return heading
    }
    if (!OF_CONTACT.test(ownWords) && !isRelation(column)) owner = null
    const beginsGuardian =
      (isWholeName(column) && (isRelation(column - 1) || isRelation(column + 1))) ||
      (isRelation(column) && isWholeName(column + 1))
    if (owner === null && hasStudent && beginsGuardian) owner = { name: 'Guardian', ownsAll: true }
    if (owner === null) {
      hasStudent ||= isWholeName(column) || reader.isNamePart(heading)
      return heading
    }
    if (isRelation(column)) owner = { ...owner, ownsAll: true }
    return owner.ownsAll || isRepeated(ownWords) ? `${owner.name} ${heading}` : heading
  })
}
