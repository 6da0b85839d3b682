import { useRouter } from "@tanstack/react-router"
import { ErrorNote } from "../parts/States.tsx"

/** Shown in place of a screen that failed. The rest of the console stays. */
export const RouteError = ({ error }: { readonly error: unknown }) => {
  const router = useRouter()
  return (
    <div className="page">
      <ErrorNote error={error} retry={() => void router.invalidate()} />
    </div>
  )
}
