/** The leaderboard's exports take their page in an object of its own (deployment facts). */
export const inPagination = <P>(pagination: P) => ({ pagination });

export const USER_SORT = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };
