/** The leaderboard's exports need the page in an object of its own (deployment facts). */
export const inPagination = <P>(pagination: P) => ({ pagination });
