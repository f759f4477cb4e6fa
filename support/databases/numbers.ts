/** From 0, in SQL for both engines. */
export function numbers(count: number): string {
  return `with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${count - 1})
    select n from counted`;
}
