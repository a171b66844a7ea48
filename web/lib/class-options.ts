import { timeRange, type DojoClass } from '@tatami/contract/classes/classes'

/** Options for a select. A class that shares its name with one of `allClasses` shows its time. */
export const classOptions = (classes: readonly DojoClass[], allClasses = classes) =>
  classes.map((dojoClass) => {
    const isUnique = allClasses.every(
      ({ id, class_name }) => id === dojoClass.id || class_name !== dojoClass.class_name,
    )
    return {
      value: dojoClass.id,
      label: isUnique ? dojoClass.class_name : `${dojoClass.class_name}, ${timeRange(dojoClass)}`,
    }
  })
