import { createContext, useContext } from 'react'

/** The directory that the session worked in; agents use absolute paths. */
export const ProjectPath = createContext<string | null>(null)

/** A step's text, with paths relative to the project. */
export function useFromProject(text: string): string {
  const project = useContext(ProjectPath)
  return project === null ? text : text.replaceAll(`${project}/`, '')
}

export function useProject(): string | null {
  return useContext(ProjectPath)
}
