/** The leaderboard's exports take their page in an object of its own (deployment facts). */
export const inPagination = <P>(pagination: P) => ({ pagination });
