import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useProjects } from '../connection/queries.ts'

/** A link to a new session in the project. */
export function NewSessionButton({ path, name }: { path: string | null; name: string }) {
  const project = useProjects().data?.projects.find((known) => known.path === path)
  if (project === undefined) return null
  return (
    <Link
      to="/new"
      search={{ project: project.id }}
      data-session-link
      tabIndex={-1}
      aria-label={`New session in ${name}`}
      title={`New session in ${name}`}
      className="rounded p-0.5 text-faint hover:bg-hover hover:text-ink"
    >
      <Plus size={14} />
    </Link>
  )
}
