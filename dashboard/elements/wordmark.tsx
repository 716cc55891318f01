/** The product's name and logo. */
export function Wordmark() {
  return (
    <span class="wordmark">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" class="wordmark-ground" />
        <path d="M16 6v8M12 10.500l4 4 4-4" class="wordmark-arrow" />
        <path
          d="M5.500 18.500h21l-2.700 5a3 3 0 0 1-2.600 1.500H10.800a3 3 0 0 1-2.600-1.500z"
          class="wordmark-hull"
        />
      </svg>
      Ferry
    </span>
  );
}
