import { studentsApi } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../lib/query.ts'
import { Face } from '../ui/face.tsx'

type Props = { id: string; name: string; size: number }

/** For lists on instructors' pages that have no photos. Finds the photo by the student's id. */
export function StudentFace({ id, name, size }: Props) {
  const { data: student } = useQuery({
    ...endpointQuery(studentsApi.list),
    select: (students) => students.find((candidate) => candidate.id === id),
  })
  return (
    <Face student={student ?? { name, photo: null, rank: null, belt_level: null }} size={size} />
  )
}
