/* Random bytes that are always the same, for the compiler and the linker while what is handed out is built: macros that go through a hash map then write the same
   code each time (crepe's do; its relations would stand in another order in every build). */
#include <string.h>
#include <sys/types.h>

ssize_t getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    memset(to, 7, n);
    return (ssize_t)n;
}
