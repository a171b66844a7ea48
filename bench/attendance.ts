import { compare } from './compare.ts'
import { createDojo } from './dojo.ts'

const DAY_MS = 86_400_000

await compare('Mark attendance, each a new mark', async (databaseUrl) => {
  const { token, class_id, students } = await createDojo(databaseUrl, 300)
  let marks = 0
  const next = () => {
    const student = students[marks % students.length]!
    const day = new Date(Date.UTC(2000, 0, 1) + Math.floor(marks / students.length) * DAY_MS)
    marks += 1
    return JSON.stringify({ student_id: student.id, class_id, class_date: day.toISOString(), present: marks % 4 > 0 })
  }
  return { path: '/api/attendance', token, request: () => ({ method: 'POST', body: next() }) }
})
