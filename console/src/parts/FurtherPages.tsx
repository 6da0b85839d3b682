import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import { Button } from "./Button.tsx"

/** The button below a list that reads its next page, while there is one. */
export const FurtherPages = ({
  query: { fetchNextPage, hasNextPage, isFetchingNextPage },
  text
}: {
  readonly query: Pick<UseInfiniteQueryResult, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">
  readonly text: string
}) =>
  hasNextPage ? (
    <div className="lines-more">
      <Button kind="plain" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {text}
      </Button>
    </div>
  ) : null
