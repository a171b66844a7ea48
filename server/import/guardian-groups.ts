import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { FamilyQuestion } from '@tatami/contract/import/import-plan'
import { hadBirthday } from '../guardians/ages.ts'
import { isFullName, letterbox, nameKey, surnameKeys } from '../families/likeness.ts'
import { Groups } from '../families/groups.ts'
import { mapInSlices } from '../lib/event-loop.ts'
import type { Mention, RowOfFamily } from './families.ts'
import {
  askAbout,
  type FamilyAnswers,
  MAX_SIDES,
  type Party,
  type UsablePhone,
} from './family-questions.ts'
import { type KnownDojo, type KnownGuardian, nameKeysOf, partyOfGuardian } from './known.ts'
import type { PlannedStudent } from './plan.ts'

export type GuardianGroup = {
  mentions: Mention[]
  known: KnownGuardian | null
  emails: Set<string>
  /** E.164, without unusable numbers. */
  phones: Set<string>
}

type Grouping = {
  groups: Map<Mention, GuardianGroup>
  questions: FamilyQuestion[]
}

/**
 * Decides which mentions are one guardian: those with one email, one number and name, or one full
 * name while the children share a surname. If emails or numbers differ, the name is common ("Mom"),
 * or the dojo has a namesake, it asks, and keeps them apart until somebody answers.
 */
export async function groupGuardians(
  families: Map<number, RowOfFamily>,
  studentOfRow: Map<number, PlannedStudent>,
  dojo: KnownDojo,
  answers: FamilyAnswers,
  usablePhone: UsablePhone,
  today: string,
): Promise<Grouping> {
  const mentions = [...families.values()].flatMap(({ guardians }) => guardians)
  const groups = new Map<Mention, GuardianGroup>()
  const knownGroups = new Map<string, GuardianGroup>()
  const questions = new Map<string, FamilyQuestion>()
  const answeredGroups: Set<GuardianGroup>[] = []
  const ownerRows = ownersOfEmails(families, studentOfRow, today)
  const groupOf = (mention: Mention): GuardianGroup => groups.get(mention)!

  await mapInSlices(mentions, (mention) => {
    const phone = usablePhone(mention.phone)
    groups.set(mention, {
      mentions: [mention],
      known: null,
      emails: new Set(mention.email === null ? [] : [letterbox(mention.email)]),
      phones: new Set(phone === null ? [] : [phone]),
    })
  })
  await mapInSlices(mentions, (mention) => {
    const owner = mention.email === null ? undefined : ownerRows.get(mention.email)
    const isOwner = mention.name === null || nameKey(mention.name) === owner?.name
    const isOwnChild = nameKey(mention.child) !== owner?.name
    if (owner && isOwner && isOwnChild) mention.parentRow ??= owner.row
    const linkedRecord = linkedGuardian(mention, studentOfRow, dojo)
    if (linkedRecord) join([groupOf(mention), groupOfKnown(linkedRecord)])
  })
  await mapInSlices([...bucketsBy(mentions, sureKeysOf).values()], (bucket) =>
    join(groupsIn(bucket)),
  )
  await mapInSlices(mentions, (mention) => {
    const [email] = groupOf(mention).emails
    const knownGuardian = email === undefined ? undefined : dojo.guardianByEmail.get(email)
    if (knownGuardian) join([groupOf(mention), groupOfKnown(knownGuardian)])
  })
  await mapInSlices([...bucketsBy(mentions, phoneKeysOf)], ([key, bucket]) =>
    decide(withKnown(bucket, dojo.guardianByPhone.get(key)), isOneByPhone),
  )
  await mapInSlices([...bucketsBy(mentions, nameKeysOfMention)], ([key, bucket]) =>
    decide(withKnown(bucket, dojo.guardianByName.get(key)), isOneByName),
  )
  return { groups, questions: [...questions.values()] }

  function sureKeysOf({ email, parentRow }: Mention): string[] {
    return [
      ...(email === null ? [] : [`email ${email}`]),
      ...(parentRow === null ? [] : [`row ${parentRow}`]),
    ]
  }
  function phoneKeysOf({ name, phone }: Mention): string[] {
    const number = usablePhone(phone)
    return number === null || name === null ? [] : [`phone ${number} ${nameKey(name)}`]
  }
  function groupsIn(bucket: Mention[]): GuardianGroup[] {
    return [...new Set(bucket.map(groupOf))]
  }
  function groupOfKnown(knownGuardian: KnownGuardian): GuardianGroup {
    const { id, email, phone } = knownGuardian.row
    const number = usablePhone(phone)
    const group = knownGroups.get(id) ?? {
      mentions: [],
      known: knownGuardian,
      emails: new Set(email === null ? [] : [letterbox(email)]),
      phones: new Set(number === null ? [] : [number]),
    }
    knownGroups.set(id, group)
    return group
  }
  function withKnown(bucket: Mention[], knownGuardian: KnownGuardian | undefined): GuardianGroup[] {
    const bucketGroups = groupsIn(bucket)
    if (!knownGuardian) return bucketGroups
    // Somebody else of the dojo is not this guardian.
    const isOther = (group: GuardianGroup) => group.known !== null && group.known !== knownGuardian
    return [
      ...new Set([groupOfKnown(knownGuardian), ...bucketGroups.filter((group) => !isOther(group))]),
    ]
  }

  function decide(namesakes: GuardianGroup[], isOne: (groups: GuardianGroup[]) => boolean): void {
    if (namesakes.length <= 1) return
    if (isOne(namesakes)) return join(namesakes)
    // A number and a name may ask the same question.
    if (
      answeredGroups.some((groupsOfAnswer) => namesakes.every((group) => groupsOfAnswer.has(group)))
    )
      return
    if (namesakes.length > MAX_SIDES || areClearlySeveral(namesakes)) return
    const question = askAbout('guardian', namesakes.map(partiesOf), answers)
    questions.set(question.id, question)
    join(namesakes.filter((_, side) => question.joined_sides.includes(side)))
    if (question.is_one) answeredGroups.push(new Set(namesakes))
  }

  function join(groupsOfOne: GuardianGroup[]): void {
    const [largest, ...smaller] = [...new Set(groupsOfOne)].toSorted(
      (a, b) => b.mentions.length - a.mentions.length,
    )
    for (const group of smaller) {
      if (!largest || (group.known && largest.known && group.known !== largest.known)) continue
      largest.known ??= group.known
      if (largest.known) knownGroups.set(largest.known.row.id, largest)
      for (const mention of group.mentions) largest.mentions.push(mention)
      for (const email of group.emails) largest.emails.add(email)
      for (const phone of group.phones) largest.phones.add(phone)
      for (const mention of group.mentions) groups.set(mention, largest)
    }
  }
}

/** Adults who train, by their own email. */
function ownersOfEmails(
  families: Map<number, RowOfFamily>,
  studentOfRow: Map<number, PlannedStudent>,
  today: string,
) {
  const owners = new Map<string, { row: number; name: string }>()
  for (const [row, { ownEmail }] of families) {
    const student = studentOfRow.get(row)
    if (!student || ownEmail === null || owners.has(ownEmail)) continue
    if (hadBirthday(student.person.date_of_birth, ADULT_AGE, today, { unknown: false }))
      owners.set(ownEmail, { row, name: nameKey(student.person.name) })
  }
  return owners
}

function linkedGuardian(
  { row, name }: Mention,
  studentOfRow: Map<number, PlannedStudent>,
  dojo: KnownDojo,
): KnownGuardian | undefined {
  const student = studentOfRow.get(row)
  if (!student?.known || name === null) return undefined
  const linkedGuardians = [dojo.guardiansOf, dojo.formerGuardiansOf].flatMap(
    (guardiansByStudent) => guardiansByStudent.get(student.id) ?? [],
  )
  const namesake = linkedGuardians.find((guardian) => nameKey(guardian.name) === nameKey(name))
  return namesake && dojo.guardianById.get(namesake.id)
}

function bucketsBy(
  mentions: Mention[],
  keysOf: (mention: Mention) => string[],
): Map<string, Mention[]> {
  const buckets = new Map<string, Mention[]>()
  for (const mention of mentions)
    for (const key of keysOf(mention)) {
      const bucket = buckets.get(key)
      if (bucket) bucket.push(mention)
      else buckets.set(key, [mention])
    }
  return buckets
}

const nameKeysOfMention = ({ name, child }: Mention): string[] =>
  name === null ? [] : nameKeysOf(name, child)

const nameIn = ({ mentions, known }: GuardianGroup): string =>
  known?.row.name ?? mentions.find(({ name }) => name !== null)?.name ?? ''

function agree(values: Set<string>[]): boolean {
  const [first, ...otherSets] = values.filter((set) => set.size > 0)
  return first === undefined || [...first].some((value) => otherSets.every((set) => set.has(value)))
}

/** For groups with one number and name. "Mom" also needs a common surname. */
function isOneByPhone(groups: GuardianGroup[]): boolean {
  return agree(groups.map(({ emails }) => emails)) && (isNamed(groups) || haveOneSurname(groups))
}

/** A name alone never means a guardian of the dojo; that is asked. */
function isOneByName(groups: GuardianGroup[]): boolean {
  return (
    isNamed(groups) &&
    groups.every(({ known }) => known === null) &&
    agree(groups.map(({ emails }) => emails)) &&
    agree(groups.map(({ phones }) => phones))
  )
}

const isNamed = (groups: GuardianGroup[]) => groups.some((group) => isFullName(nameIn(group)))

function haveOneSurname(groups: GuardianGroup[]): boolean {
  const students = groups.flatMap(studentsOf)
  const surnameGroups = new Groups<number>()
  for (const [index, keys] of surnameKeys(students).entries()) surnameGroups.addKeys(index, keys)
  return new Set(students.map((_, index) => surnameGroups.rootOf(index))).size <= 1
}

const studentsOf = ({ mentions, known }: GuardianGroup): string[] => [
  ...(known?.students ?? []),
  ...mentions.map(({ child }) => child),
]

/** Each has an email and a number, and they share none. */
function areClearlySeveral(groups: GuardianGroup[]): boolean {
  const areDifferent = (values: Set<string>[]) => {
    const count = values.reduce((sum, set) => sum + set.size, 0)
    return (
      values.every((set) => set.size > 0) &&
      new Set(values.flatMap((set) => [...set])).size === count
    )
  }
  return (
    areDifferent(groups.map(({ emails }) => emails)) &&
    areDifferent(groups.map(({ phones }) => phones))
  )
}

const partiesOf = ({ mentions, known }: GuardianGroup): Party[] => [
  ...(known ? [partyOfGuardian(known)] : []),
  ...mentions.map(({ row, child, name, email, phone }) => ({
    row,
    students: [child],
    guardian: name,
    contacts: [],
    emails: email === null ? [] : [email],
    phones: phone === null ? [] : [phone],
  })),
]
