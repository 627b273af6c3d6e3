/* leaves.h - frames whose caller a chain of frame pointers does not hold */
#pragma once

struct capture;

/*
 * The kernel walks from the frame pointer on. Where the function that ran had not set up a frame
 * of its own (it needs none, it has just begun, it is about to return), the register is its
 * caller's still, and the first address found is of the caller's caller: the caller is not in the
 * chain. Whether that is so at an address is in the call-frame information of the file.
 *
 * To be called behind the naming: gives LOCATION_LACKS_CALLER to the functions of such places,
 * where an event was walked by frame pointers and the module's file is shown to be the one that
 * ran. Places without a name, and those of code without call-frame information, are left as they
 * are.
 */
void leaves_mark(struct capture *capture);
