#!/usr/bin/python3
"""A file system for tests that finds names in any case and Unicode form, as a Mac does.

    fold-fs.py REAL MOUNT

It keeps names as they were made, and stores everything in REAL. It needs python3-fusepy.
"""
import errno
import os
import sys
import unicodedata

from fusepy import FUSE, FuseOSError, Operations


def fold(name):
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


class FoldingFiles(Operations):
    use_ns = True

    def __init__(self, top):
        self.top = top

    def find(self, path):
        """Where the names of a path lead, part by part."""
        at = self.top
        for part in path.split("/"):
            if part == "":
                continue
            whole = os.path.join(at, part)
            if not os.path.lexists(whole) and os.path.isdir(at):
                same = [name for name in os.listdir(at) if fold(name) == fold(part)]
                whole = os.path.join(at, same[0]) if same else whole
            at = whole
        return at

    def new(self, path):
        """Where a new name goes; an error if the name is taken in some spelling."""
        if os.path.lexists(self.find(path)):
            raise FuseOSError(errno.EEXIST)
        return self.given(path)

    def given(self, path):
        directory, name = os.path.split(path)
        return os.path.join(self.find(directory), name)

    def getattr(self, path, fh=None):
        stat = os.lstat(self.find(path))
        return {
            "st_mode": stat.st_mode, "st_ino": stat.st_ino, "st_nlink": stat.st_nlink,
            "st_uid": stat.st_uid, "st_gid": stat.st_gid, "st_size": stat.st_size,
            "st_atime": stat.st_atime_ns, "st_mtime": stat.st_mtime_ns, "st_ctime": stat.st_ctime_ns,
        }

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.find(path))]

    def statfs(self, path):
        stat = os.statvfs(self.find(path))
        return {name: getattr(stat, name) for name in dir(stat) if name.startswith("f_") and name != "f_fsid"}

    def readlink(self, path):
        return os.readlink(self.find(path))

    def create(self, path, mode, fi=None):
        return os.open(self.new(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def mkdir(self, path, mode):
        os.mkdir(self.new(path), mode)

    def symlink(self, path, target):
        os.symlink(target, self.new(path))

    def link(self, path, source):
        os.link(self.find(source), self.new(path), follow_symlinks=False)

    def rename(self, old, new):
        source, target = self.find(old), self.find(new)
        is_same = os.path.lexists(target) and os.path.samestat(os.lstat(source), os.lstat(target))
        os.rename(source, self.given(new) if is_same else target)

    def unlink(self, path):
        os.unlink(self.find(path))

    def rmdir(self, path):
        os.rmdir(self.find(path))

    def chmod(self, path, mode):
        os.chmod(self.find(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.find(path), uid, gid, follow_symlinks=False)

    def utimens(self, path, times=None):
        os.utime(self.find(path), ns=times, follow_symlinks=False)

    def open(self, path, flags):
        return os.open(self.find(path), flags & ~(os.O_CREAT | os.O_EXCL | os.O_APPEND))

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.find(path), length)

    def release(self, path, fh):
        os.close(fh)

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def flush(self, path, fh):
        return 0

    def fsyncdir(self, path, datasync, fh):
        return 0


# Without caches in the kernel, which would not know that two names are one.
FUSE(
    FoldingFiles(sys.argv[1]), sys.argv[2], foreground=True, nothreads=True, use_ino=True, nonempty=True,
    attr_timeout=0, entry_timeout=0, negative_timeout=0,
)
