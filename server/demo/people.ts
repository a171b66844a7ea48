import type { Weekday } from '@tatami/contract/lib/calendar-day'
import type { StudentNotes } from '@tatami/contract/students/student-page'
import type { Belt } from '@tatami/contract/lib/ranks'
import type { Gender } from '@tatami/contract/accounts/users'

export const CLASSES: {
  class_name: string
  description: string
  class_days: Weekday[]
  class_start_time: string
  class_end_time: string
  ages: [from: number, to: number]
  belts?: Belt[]
  /** With 3, only every third of these students comes to the class. */
  every?: number
  /** The number of places. The class without a limit becomes a full class. */
  limit?: number
}[] = [
  {
    class_name: 'Little Tigers',
    description: 'First falls and first games, ages 4 to 6',
    class_days: ['monday', 'wednesday'],
    class_start_time: '3:00 PM',
    class_end_time: '4:00 PM',
    ages: [4, 6],
    limit: 8,
  },
  {
    class_name: 'Kids Beginners',
    description: 'White and yellow belts, ages 7 to 12',
    class_days: ['monday', 'wednesday', 'friday'],
    class_start_time: '4:00 PM',
    class_end_time: '5:00 PM',
    ages: [7, 12],
    belts: ['white', 'yellow'],
    limit: 10,
  },
  {
    class_name: 'Kids Advanced',
    description: 'Orange belts and up, ages 7 to 12',
    class_days: ['tuesday', 'thursday'],
    class_start_time: '4:00 PM',
    class_end_time: '5:00 PM',
    ages: [7, 12],
    belts: ['orange', 'green', 'blue'],
    limit: 12,
  },
  {
    class_name: 'Teens',
    description: 'All belts, ages 13 to 17',
    class_days: ['tuesday', 'thursday'],
    class_start_time: '5:00 PM',
    class_end_time: '6:00 PM',
    ages: [13, 17],
    limit: 10,
  },
  {
    class_name: 'Adults Fundamentals',
    description: 'For beginners and people coming back to judo',
    class_days: ['monday', 'wednesday'],
    class_start_time: '6:00 PM',
    class_end_time: '7:00 PM',
    ages: [18, 99],
    belts: ['white', 'yellow', 'orange'],
    limit: 16,
  },
  {
    class_name: 'Adults Advanced',
    description: 'Green belts and up',
    class_days: ['tuesday', 'thursday'],
    class_start_time: '7:00 PM',
    class_end_time: '9:00 PM',
    ages: [18, 99],
    belts: ['green', 'blue', 'brown', 'black'],
    limit: 10,
  },
  {
    class_name: 'Competition Team',
    description: 'By invitation of the sensei',
    class_days: ['friday'],
    class_start_time: '6:00 PM',
    class_end_time: '8:00 PM',
    ages: [13, 99],
    belts: ['blue', 'brown', 'black'],
    limit: 10,
  },
  {
    class_name: 'Open Mat',
    description: 'Everybody, every belt, shoes off',
    class_days: ['saturday'],
    class_start_time: '10:00 AM',
    class_end_time: '12:00 PM',
    ages: [10, 99],
    every: 3,
  },
  {
    class_name: 'Morning Class',
    description: 'An hour before work, for adults of all belts',
    class_days: ['monday', 'wednesday', 'friday'],
    class_start_time: '7:00 AM',
    class_end_time: '8:00 AM',
    ages: [18, 99],
    every: 4,
    limit: 12,
  },
  {
    class_name: 'Beginners Course',
    description: 'Eight Saturdays from the first fall to the first throw',
    class_days: ['saturday'],
    class_start_time: '9:00 AM',
    class_end_time: '10:00 AM',
    ages: [10, 99],
    belts: ['white'],
    limit: 8,
  },
  {
    class_name: 'Family Class',
    description: 'Parents and children on one mat',
    class_days: ['sunday'],
    class_start_time: '10:00 AM',
    class_end_time: '11:00 AM',
    ages: [5, 99],
    every: 5,
    limit: 20,
  },
]

type Person = {
  name: string
  gender: Gender
  age: number
  belt: Belt
  fee: number
  parent: string
  joinedMonthsAgo: number
  kind?: 'trial' | 'vacation' | 'left'
}
const createPerson = (
  name: string,
  gender: Gender,
  age: number,
  belt: Belt,
  fee: number,
  parent: string,
  joinedMonthsAgo: number,
  kind?: Person['kind'],
): Person => ({
  name,
  gender,
  age,
  belt,
  fee,
  parent,
  joinedMonthsAgo,
  ...(kind && { kind }),
})

export const PEOPLE: Person[] = [
  createPerson('Noah Bennett', 'male', 5, 'white', 75, 'Laura Bennett', 3),
  createPerson('Maya Patel', 'female', 6, 'white', 75, 'Anjali Patel', 5),
  createPerson('Leo Fischer', 'male', 4, 'white', 75, 'Jonas Fischer', 1),
  createPerson('Zoe Walker', 'female', 6, 'yellow', 75, 'Dana Walker', 9),
  createPerson('Omar Haddad', 'male', 5, 'white', 75, 'Rana Haddad', 0, 'trial'),
  createPerson('Ken Adams', 'male', 9, 'yellow', 85, 'Ann Adams', 11),
  createPerson('Ruby Adams', 'female', 7, 'white', 70, 'Ann Adams', 6),
  createPerson('Diego Ramirez', 'male', 10, 'yellow', 85, 'Lucia Ramirez', 10),
  createPerson('Hana Kim', 'female', 8, 'white', 85, 'Minjun Kim', 2),
  createPerson('Ethan Brooks', 'male', 11, 'yellow', 85, 'Carla Brooks', 8),
  createPerson('Amara Okafor', 'female', 9, 'yellow', 85, 'Ngozi Okafor', 7),
  createPerson('Lucas Meyer', 'male', 7, 'white', 85, 'Petra Meyer', 0, 'trial'),
  createPerson('Sofia Rossi', 'female', 12, 'white', 85, 'Marco Rossi', 4),
  createPerson('Tomás Alvarez', 'male', 10, 'orange', 85, 'Elena Alvarez', 11),
  createPerson('Ivy Nguyen', 'female', 11, 'green', 85, 'Linh Nguyen', 11),
  createPerson('Caleb Foster', 'male', 12, 'orange', 85, 'Grace Foster', 11),
  createPerson('Priya Sharma', 'female', 10, 'orange', 85, 'Rohan Sharma', 9),
  createPerson('Jack Sullivan', 'male', 12, 'blue', 85, 'Maeve Sullivan', 11),
  createPerson('Elif Yilmaz', 'female', 9, 'orange', 85, 'Deniz Yilmaz', 8),
  createPerson('Mateo Cruz', 'male', 14, 'green', 95, 'Isabel Cruz', 11),
  createPerson('Chloe Martin', 'female', 15, 'blue', 95, 'Sophie Martin', 11),
  createPerson('Aiden Clark', 'male', 13, 'yellow', 95, 'Paul Clark', 5),
  createPerson('Nora Lindqvist', 'female', 16, 'brown', 95, 'Erik Lindqvist', 11),
  createPerson('Jamal Carter', 'male', 17, 'blue', 95, 'Denise Carter', 11),
  createPerson('Robin Ellis', 'other', 14, 'orange', 95, 'Kim Ellis', 7),
  createPerson('Mei Lin', 'female', 13, 'white', 95, 'Wei Lin', 0, 'trial'),
  createPerson('Samuel Wright', 'male', 28, 'white', 120, 'Joan Wright', 2),
  createPerson('Olivia Hughes', 'female', 34, 'yellow', 120, 'Mark Hughes', 6),
  createPerson('Daniel Schmidt', 'male', 41, 'orange', 120, 'Eva Schmidt', 10),
  createPerson('Fatima Zahra', 'female', 23, 'yellow', 120, 'Youssef Zahra', 8),
  createPerson('Victor Dubois', 'male', 52, 'white', 120, 'Claire Dubois', 1),
  createPerson('Grace Thompson', 'female', 30, 'orange', 120, 'Neil Thompson', 11, 'vacation'),
  createPerson('Hiroshi Sato', 'male', 45, 'black', 0, 'Yumi Sato', 11),
  createPerson('Emma Johansson', 'female', 26, 'green', 120, 'Lars Johansson', 11),
  createPerson('Marcus Green', 'male', 37, 'brown', 120, 'Tina Green', 11),
  createPerson('Isabella Conti', 'female', 29, 'blue', 120, 'Paolo Conti', 11),
  createPerson('Andre Silva', 'male', 33, 'blue', 120, 'Bianca Silva', 11),
  createPerson('Rachel Cohen', 'female', 39, 'black', 0, 'David Cohen', 11),
  createPerson('Piotr Nowak', 'male', 21, 'green', 120, 'Anna Nowak', 9, 'vacation'),
  createPerson('Keiko Mori', 'female', 19, 'brown', 110, 'Kenji Mori', 11),
  createPerson('Liam Porter', 'male', 24, 'white', 120, 'Sue Porter', 0, 'trial'),
  createPerson('Aaron Blake', 'male', 31, 'white', 120, 'Jill Blake', 10, 'left'),
  createPerson('Tara Quinn', 'female', 11, 'white', 85, 'Owen Quinn', 9, 'left'),
  createPerson('Ben Ortiz', 'male', 16, 'yellow', 95, 'Rosa Ortiz', 8, 'left'),
  createPerson('Finn Adams', 'male', 5, 'white', 75, 'Ann Adams', 4),
]

export const NOTES: Record<string, StudentNotes> = {
  'Ken Adams': {
    allergies: 'Peanuts, also in traces',
    private_notes: 'Partners well with Diego. Shy before tests: call him second.',
  },
  'Ivy Nguyen': {
    medical_note: 'Asthma. The inhaler is in the blue bag; two puffs before sparring.',
  },
  'Marcus Green': { medical_note: 'Left knee operated on in spring: no jumps.' },
  'Zoe Walker': { allergies: 'Bee stings', private_notes: 'Father picks her up on Wednesdays.' },
}
